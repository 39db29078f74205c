import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** java UserCall.java method url authorization: sends standard input, prints the status, a line end, the body. */
public class UserCall {
  public static void main(String[] args) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(args[1]))
            .header("Authorization", args[2])
            .header("Content-Type", "application/json")
            .method(args[0], HttpRequest.BodyPublishers.ofByteArray(System.in.readAllBytes()))
            .build();
    HttpResponse<byte[]> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    System.out.println(response.statusCode());
    System.out.write(response.body());
    System.out.flush();
  }
}
