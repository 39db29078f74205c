-- rotation of tokens from earlier responses; get-or-create if there is none
local tokens = {}
local made = 0
local run = os.getenv("RUN") or "0"
local headers = { ["Authorization"] = "Token test-api-token", ["Content-Type"] = "application/json" }
request = function()
  local token = table.remove(tokens)
  if token then
    return wrk.format("POST", nil, headers, '{"current_token":"' .. token .. '"}')
  end
  made = made + 1
  return wrk.format("GET", nil, headers, '{"user_group_id":"rot' .. run .. "-" .. made .. '","name":"A group"}')
end
response = function(status, _, body)
  local token = string.match(body, '"token":"(%x+)"')
  if token then tokens[#tokens + 1] = token end
end
