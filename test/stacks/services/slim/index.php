<?php
// Slim 3 of Debian: forms and JSON, its pages for what it does not know, and PHP's [] for an empty object.
require '/usr/share/php/Slim/autoload.php';

use Psr\Http\Message\ResponseInterface as Response;
use Psr\Http\Message\ServerRequestInterface as Request;

// The built-in server of PHP names the path of the request instead.
$_SERVER['SCRIPT_NAME'] = '/index.php';

$teams = [
    getenv('API_TOKEN') => (int) getenv('TEAM_ID'),
    getenv('SECOND_API_TOKEN') => (int) getenv('SECOND_TEAM_ID'),
];

// Each request is a run of its own, so the groups are in a file.
$file = getenv('STATE_FILE');
$groups = is_file($file) ? json_decode(file_get_contents($file), true) : [];

function save(array $groups): void
{
    file_put_contents(getenv('STATE_FILE'), json_encode($groups));
}

function show(array $group): array
{
    unset($group['secret']);
    return $group;
}

/** @return array<string, string> problems by field */
function check(array $input): array
{
    $errors = [];
    $id = $input['user_group_id'] ?? '';
    if (!is_scalar($id) || trim((string) $id) === '') {
        $errors['user_group_id'] = 'The user group id field is required.';
    } elseif (mb_strlen((string) $id) > 100) {
        $errors['user_group_id'] = 'The user group id may not be greater than 100 characters.';
    } elseif (!preg_match('/^[\pL\pN_.@\/-]+$/u', trim((string) $id))) {
        $errors['user_group_id'] = 'The user group id format is invalid.';
    }
    $name = $input['name'] ?? '';
    if (!is_scalar($name) || trim((string) $name) === '') {
        $errors['name'] = 'The name field is required.';
    } elseif (mb_strlen(trim((string) $name)) > 255) {
        $errors['name'] = 'The name may not be greater than 255 characters.';
    } elseif (preg_match('/[<>;]/', (string) $name)) {
        $errors['name'] = 'The name format is invalid.';
    }
    foreach (['mapping', 'properties'] as $field) {
        if (isset($input[$field]) && !is_array($input[$field])) {
            $errors[$field] = "The $field must be an array.";
        }
    }
    return $errors;
}

$app = new \Slim\App();

$app->add(function (Request $request, Response $response, callable $next) use ($teams) {
    if (!preg_match('/^Token\s+(\S+)$/i', $request->getHeaderLine('Authorization'), $match)) {
        return $response->withJson(['success' => 0, 'message' => 'Unauthenticated.'], 401);
    }
    if (!isset($teams[$match[1]])) {
        return $response->withJson(['success' => 0, 'message' => 'This API token is not valid.'], 401);
    }
    return $next($request->withAttribute('team', $teams[$match[1]]), $response);
});

$app->get('/api/user', function (Request $request, Response $response) use (&$groups) {
    $input = (array) $request->getParsedBody();
    $team = $request->getAttribute('team');
    $id = trim(is_scalar($input['user_group_id'] ?? '') ? (string) ($input['user_group_id'] ?? '') : '');
    foreach ($groups as &$group) {
        if ($group['team_id'] === $team && $group['provided_id'] === $id) {
            // What is empty does not change a group.
            $group['mapping'] = is_array($input['mapping'] ?? null) ? $input['mapping'] : $group['mapping'];
            $group['name'] = is_string($input['name'] ?? null) && $input['name'] !== '' ? trim($input['name']) : $group['name'];
            save($groups);
            return $response->withJson(['success' => 1, 'new_user_group' => false, 'user_group' => show($group)]);
        }
    }
    $errors = check($input);
    if ($errors !== []) {
        return $response->withJson(['success' => 0, 'message' => 'The given data was invalid.', 'errors' => $errors], 422);
    }
    $created = [
        'team_id' => $team,
        'token' => sha1(random_bytes(20)),
        'name' => trim((string) $input['name']),
        'provided_id' => $id,
        'mapping' => $input['mapping'] ?? [],
        'secret' => bin2hex(random_bytes(4)),
    ];
    $groups[] = $created;
    save($groups);
    return $response->withJson(['success' => 1, 'new_user_group' => true, 'user_group' => show($created)], 201);
});

$app->post('/api/user', function (Request $request, Response $response) use (&$groups) {
    $token = ((array) $request->getParsedBody())['current_token'] ?? null;
    if (!is_string($token) || $token === '') {
        $errors = ['current_token' => 'The current token field is required.'];
        return $response->withJson(['success' => 0, 'message' => 'The given data was invalid.', 'errors' => $errors], 422);
    }
    foreach ($groups as $group) {
        if ($group['team_id'] === $request->getAttribute('team') && $group['token'] === $token) {
            // The token stays; only its secret is new, with which dashboards are signed.
            $group['secret'] = bin2hex(random_bytes(4));
            return $response->withJson(['success' => 1, 'user_group' => show($group)]);
        }
    }
    return $response->withJson(['success' => 0, 'message' => 'No user group for this token.'], 404);
});

$app->run();
