-- get-or-create of a group that exists, with a pause between requests, for a load below the maximum
wrk.method = "GET"
wrk.body = '{"user_group_id":"example_1","name":"Example 1"}'
wrk.headers["Authorization"] = "Token test-api-token"
wrk.headers["Content-Type"] = "application/json"
local pause = tonumber(os.getenv("PAUSE_MS") or "1")
delay = function() return pause end
