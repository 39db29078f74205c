require "json"
require "net/http"

def create_user_group(base_url, id, name)
  uri = URI("#{base_url}/api/user")
  headers = { "Authorization" => "Token test-api-token", "Content-Type" => "application/json" }
  request = Net::HTTP::Get.new(uri, headers)
  request.body = { user_group_id: id, name: name }.to_json
  response = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
  raise "The service responded with #{response.code}" unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body)
end
