# Any version of Torch that a project asks for: Paddle's own number says nothing about torch's API.
set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE TRUE)
