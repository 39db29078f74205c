-- a body that the schema rejects
wrk.method = "GET"
wrk.body = '{"user_group_id":"example_1","name":5}'
wrk.headers["Authorization"] = "Token test-api-token"
wrk.headers["Content-Type"] = "application/json"
