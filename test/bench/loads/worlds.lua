-- get-or-create in 1,000 worlds, one after the other
local turn = 0
local headers = { ["Authorization"] = "Token test-api-token", ["Content-Type"] = "application/json" }
request = function()
  turn = turn % 1000 + 1
  return wrk.format("GET", "/worlds/w" .. turn .. "/api/user", headers, '{"user_group_id":"example_1","name":"Example 1"}')
end
