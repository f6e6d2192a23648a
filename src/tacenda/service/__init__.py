"""The server: REST over plans, Presidio's routes, and the review page. Needs the extra `tacenda[serve]`.

app.py        the routes, put together
guard.py      who may ask what, how much and how often; headers of every answer
pool.py       work in processes of their own (worker.py, tasks.py), with hard limits of time
rest.py       /v1: plan, apply, sanitize, verify, measure, policies
jobs.py       many files at once, with progress
presidio.py   the contract of Presidio's analyzer and anonymizer
review/       cases under review: what is kept of them, what reviewers decide, release
static/       the page
"""
