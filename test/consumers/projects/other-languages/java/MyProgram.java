import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

class MyProgram {
    private static final HttpClient client = HttpClient.newHttpClient();

    static void createUserGroup(String baseUrl, String id, String name) throws IOException, InterruptedException {
        var body = "{\"user_group_id\": \"%s\", \"name\": \"%s\"}".formatted(id, name);
        var request = HttpRequest.newBuilder(URI.create(baseUrl + "/api/user"))
            .header("Authorization", "Token test-api-token")
            .header("Content-Type", "application/json")
            .method("GET", BodyPublishers.ofString(body))
            .build();
        for (int tries = 0; tries < 2; tries++) {
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) return;
        }
        throw new IOException("the service is down");
    }
}
