-- get-or-create of one of a million groups
local turn = 0
local headers = { ["Authorization"] = "Token test-api-token", ["Content-Type"] = "application/json" }
local count = tonumber(os.getenv("GROUPS") or "10")
request = function()
  turn = (turn + 7919) % count
  return wrk.format("GET", nil, headers, '{"user_group_id":"group-' .. turn .. '"}')
end
