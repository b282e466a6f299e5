import datetime

default_pg_timeout = datetime.timedelta(minutes=30)
