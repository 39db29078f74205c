-- get-or-create of a group that does not exist yet
local made = 0
local run = os.getenv("RUN") or "0"
local headers = { ["Authorization"] = "Token test-api-token", ["Content-Type"] = "application/json" }
request = function()
  made = made + 1
  local id = "r" .. run .. "-" .. made
  return wrk.format("GET", nil, headers, '{"user_group_id":"' .. id .. '","name":"A group","mapping":{"40":"213"}}')
end
