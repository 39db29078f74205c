# Sinatra: the content type does not matter, ids are kept in lower case, a group that exists is merged.
ENV["APP_ENV"] ||= "production"

require "json"
require "securerandom"
require "sinatra/base"

class UserGroups < Sinatra::Base
  set :bind, "127.0.0.1"
  set :port, ENV.fetch("PORT").to_i
  set :server, "puma"
  set :server_settings, { Silent: true, Threads: "1:1" }
  set :quiet, true
  set :logging, false

  TEAMS = {
    ENV.fetch("API_TOKEN") => ENV.fetch("TEAM_ID").to_i,
    ENV.fetch("SECOND_API_TOKEN") => ENV.fetch("SECOND_TEAM_ID").to_i
  }.freeze
  GROUPS = []

  helpers do
    def fail_with(code, message, extra = {})
      halt code, { success: 0, message: message }.merge(extra).to_json
    end

    def team
      scheme, token = request.env["HTTP_AUTHORIZATION"].to_s.split(" ", 2)
      fail_with 401, "Authentication required" unless scheme == "Token" && token
      TEAMS[token] || fail_with(403, "Access denied")
    end

    def body_json
      body = JSON.parse(request.body.read)
      fail_with 400, "Body must be an object" unless body.is_a?(Hash)
      body
    rescue JSON::ParserError
      fail_with 400, "Body is not JSON"
    end

    def present(group)
      group.slice(:team_id, :token, :name, :provided_id, :mapping, :properties)
    end
  end

  before "/api/*" do
    content_type :json
  end

  get "/api/user" do
    team_id = team
    params = body_json
    id = params["user_group_id"].to_s.downcase
    name = params["name"].to_s
    errors = {}
    errors[:user_group_id] = ["can't be blank"] if id.strip.empty?
    errors[:name] = ["can't be blank"] if name.strip.empty?
    errors[:name] = ["is too long (maximum is 60 characters)"] if name.length > 60
    %w[mapping properties].each do |field|
      errors[field] = ["must be an object"] unless params[field].nil? || params[field].is_a?(Hash)
    end
    fail_with 422, "Validation failed", errors: errors unless errors.empty?

    group = GROUPS.find { |one| one[:team_id] == team_id && one[:provided_id] == id }
    created = group.nil?
    if created
      group = { team_id: team_id, provided_id: id, token: SecureRandom.urlsafe_base64(24), mapping: {}, properties: {} }
      GROUPS << group
    end
    group[:name] = name
    group[:mapping].merge!(params["mapping"] || {})
    group[:properties].merge!(params["properties"] || {})
    { success: 1, new_user_group: created, user_group: present(group) }.to_json
  end

  post "/api/user" do
    team_id = team
    token = body_json["current_token"]
    fail_with 422, "Validation failed", errors: { current_token: ["can't be blank"] } if token.to_s.empty?
    group = GROUPS.find { |one| one[:team_id] == team_id && one[:token] == token }
    fail_with 404, "User group not found" unless group
    group[:token] = SecureRandom.urlsafe_base64(24)
    { success: 1, user_group: present(group) }.to_json
  end
end

UserGroups.run!
