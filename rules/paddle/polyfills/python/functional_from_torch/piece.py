_register({}, {})
