# Rails (API) in one file: Active Model validates, the framework authenticates with its own text.
require "action_controller/railtie"
require "active_model"
require "securerandom"

class UserGroupsApp < Rails::Application
  config.load_defaults 6.1
  config.api_only = true
  config.eager_load = false
  config.consider_all_requests_local = false
  config.secret_key_base = "not-secret"
  config.hosts.clear
  config.logger = Logger.new(IO::NULL)
  routes.append do
    get "/api/user", to: "user_groups#show"
    post "/api/user", to: "user_groups#rotate"
  end
end

class UserGroup
  include ActiveModel::Model
  include ActiveModel::Attributes

  ALL = []

  attribute :id, :integer
  attribute :team_id, :integer
  attribute :token, :string
  attribute :provided_id, :string
  attribute :name, :string
  attribute :created_at
  attribute :mapping
  attribute :properties

  validates :provided_id, presence: true, length: { maximum: 255 }
  validates :name, presence: true, length: { maximum: 255 }

  def regenerate_token
    self.token = SecureRandom.base58(24)
  end

  def as_json(*)
    attributes.slice("id", "team_id", "token", "name", "provided_id", "created_at").as_json
  end
end

class UserGroupsController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods

  TEAMS = {
    ENV.fetch("API_TOKEN") => ENV.fetch("TEAM_ID").to_i,
    ENV.fetch("SECOND_API_TOKEN") => ENV.fetch("SECOND_TEAM_ID").to_i
  }.freeze

  before_action :authenticate

  rescue_from ActionController::ParameterMissing do |error|
    render json: { success: 0, error: error.message }, status: :bad_request
  end

  def show
    group = UserGroup::ALL.find { |one| one.team_id == @team_id && one.provided_id == group_id }
    created = group.nil?
    group ||= UserGroup.new(id: UserGroup::ALL.size + 1, team_id: @team_id, provided_id: group_id)
    previous_name = group.name
    group.assign_attributes(group_params)
    unless group.valid?
      group.name = previous_name
      return render json: { success: 0, errors: group.errors }, status: :unprocessable_entity
    end
    if created
      group.created_at = Time.now.utc
      group.regenerate_token
      UserGroup::ALL << group
    end
    render json: { success: 1, new_user_group: created, user_group: group }, status: created ? :created : :ok
  end

  def rotate
    token = params.require(:current_token)
    group = UserGroup::ALL.find { |one| one.team_id == @team_id && one.token == token }
    return render json: { success: 0, error: "Not Found" }, status: :not_found unless group

    group.regenerate_token
    render json: { success: 1, user_group: group }
  end

  private

  def authenticate
    @team_id = authenticate_or_request_with_http_token { |token, _options| TEAMS[token] }
  end

  def group_id
    params.require(:user_group_id).to_s
  end

  def group_params
    params.permit(:name, mapping: {}, properties: {})
  end
end

UserGroupsApp.initialize!
run UserGroupsApp
