def _log_api_usage_once(event):
    """There is nobody to tell."""
