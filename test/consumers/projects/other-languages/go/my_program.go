package groups

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// CreateUserGroup tries twice.
func CreateUserGroup(baseURL, id, name string) error {
	body, err := json.Marshal(map[string]string{"user_group_id": id, "name": name})
	if err != nil {
		return err
	}
	for tries := 0; tries < 2; tries++ {
		request, err := http.NewRequest("GET", baseURL+"/api/user", strings.NewReader(string(body)))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Token test-api-token")
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode == 200 {
			return nil
		}
	}
	return errors.New("the service is down")
}
