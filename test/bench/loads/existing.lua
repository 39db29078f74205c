-- get-or-create of a group that exists
wrk.method = "GET"
wrk.body = '{"user_group_id":"example_1","name":"Example 1"}'
wrk.headers["Authorization"] = "Token test-api-token"
wrk.headers["Content-Type"] = "application/json"
