_methods(equal=equal)
