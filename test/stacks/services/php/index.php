<?php
// Plain PHP behind its built-in server: what the service handles is always a 200, and ids are of all teams together.

$teams = [
    getenv('API_TOKEN') => (int) getenv('TEAM_ID'),
    getenv('SECOND_API_TOKEN') => (int) getenv('SECOND_TEAM_ID'),
];

// Every request is a new process of the script, so that a file stands in for the database.
$file = getenv('STATE_FILE');
$state = is_file($file) ? json_decode(file_get_contents($file), true) : ['groups' => [], 'tokens' => []];

function respond(array $body, int $status = 200): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
    exit;
}

function fail(string $message): void
{
    respond(['success' => 0, 'error' => $message]);
}

function save(array $state): void
{
    file_put_contents(getenv('STATE_FILE'), json_encode($state));
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (rtrim($path, '/') !== '/api/user') {
    http_response_code(404);
    header('Content-Type: text/html; charset=UTF-8');
    echo '<!DOCTYPE html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>';
    exit;
}

$authorization = $_SERVER['HTTP_AUTHORIZATION'] ?? '';
if (!preg_match('/^Token\s+(.+)$/i', $authorization, $match) || !isset($teams[$match[1]])) {
    respond(['success' => 0, 'error' => 'Invalid API token'], 401);
}
$team = $teams[$match[1]];

$body = json_decode(file_get_contents('php://input'), true);
if (!is_array($body)) {
    fail('Invalid JSON');
}

if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    if (empty($body['user_group_id'])) {
        fail('Missing parameter: user_group_id');
    }
    if (!is_scalar($body['user_group_id'])) {
        fail('Invalid parameter: user_group_id');
    }
    $id = (string) $body['user_group_id'];
    $isNew = !isset($state['groups'][$id]);
    if ($isNew) {
        if (empty($body['name'])) {
            fail('Missing parameter: name');
        }
        $token = md5(random_bytes(16));
        $state['groups'][$id] = [
            'id' => count($state['groups']) + 1,
            'team_id' => $team,
            'token' => $token,
            'name' => is_scalar($body['name']) ? (string) $body['name'] : '',
            'provided_id' => $id,
            'created' => date('Y-m-d H:i:s'),
        ];
        $state['tokens'][$token] = $id;
        save($state);
    }
    respond(['success' => 1, 'new_user_group' => $isNew, 'user_group' => $state['groups'][$id]]);
}

if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    if (empty($body['current_token'])) {
        fail('Missing parameter: current_token');
    }
    if (!is_string($body['current_token']) || !preg_match('/^[0-9a-f]{32}$/', $body['current_token'])) {
        fail('Invalid parameter: current_token');
    }
    $id = $state['tokens'][$body['current_token']] ?? null;
    if ($id === null) {
        fail('No such user group');
    }
    $token = md5(random_bytes(16));
    $state['tokens'][$token] = $id;
    $state['groups'][$id]['token'] = $token;
    save($state);
    respond(['success' => 1, 'user_group' => $state['groups'][$id]]);
}

header('Allow: GET, POST');
respond(['success' => 0, 'error' => 'Method not allowed'], 405);
