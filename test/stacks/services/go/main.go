// Go with net/http: unknown fields are rejected, null is the same as not sent, wrong types are named by the decoder.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

type userGroup struct {
	ID         int    `json:"id"`
	TeamID     int    `json:"team_id"`
	Token      string `json:"token"`
	Name       string `json:"name"`
	ProvidedID string `json:"provided_id"`
}

type getOrCreateRequest struct {
	UserGroupID string                 `json:"user_group_id"`
	Name        string                 `json:"name"`
	Mapping     map[string]string      `json:"mapping"`
	Properties  map[string]interface{} `json:"properties"`
}

type rotateRequest struct {
	CurrentToken string `json:"current_token"`
	Filename     string `json:"filename"`
}

type store struct {
	sync.Mutex
	teams  map[string]int
	groups []*userGroup
}

func newToken() string {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(b)
}

func writeJSON(w http.ResponseWriter, status int, v interface{}) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]interface{}{"success": 0, "error": message})
}

func decode(w http.ResponseWriter, r *http.Request, v interface{}) bool {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v)
	switch {
	case errors.Is(err, io.EOF):
		writeError(w, http.StatusBadRequest, "request body must not be empty")
	case err != nil:
		writeError(w, http.StatusBadRequest, err.Error())
	}
	return err == nil
}

func (s *store) handleUser(w http.ResponseWriter, r *http.Request) {
	auth := r.Header.Get("Authorization")
	if !strings.HasPrefix(auth, "Token ") {
		w.Header().Set("WWW-Authenticate", `Token realm="api"`)
		writeError(w, http.StatusUnauthorized, "unauthorized")
		return
	}
	teamID, ok := s.teams[strings.TrimPrefix(auth, "Token ")]
	if !ok {
		writeError(w, http.StatusForbidden, "forbidden")
		return
	}
	s.Lock()
	defer s.Unlock()
	switch r.Method {
	case http.MethodGet:
		s.getOrCreate(w, r, teamID)
	case http.MethodPost:
		s.rotate(w, r, teamID)
	default:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (s *store) getOrCreate(w http.ResponseWriter, r *http.Request, teamID int) {
	var req getOrCreateRequest
	if !decode(w, r, &req) {
		return
	}
	if req.UserGroupID == "" {
		writeError(w, http.StatusBadRequest, "user_group_id is required")
		return
	}
	if utf8.RuneCountInString(req.UserGroupID) > 100 {
		writeError(w, http.StatusBadRequest, "user_group_id is too long")
		return
	}
	for _, group := range s.groups {
		if group.TeamID == teamID && group.ProvidedID == req.UserGroupID {
			writeJSON(w, http.StatusOK, map[string]interface{}{"success": 1, "new_user_group": false, "user_group": group})
			return
		}
	}
	if req.Name == "" {
		req.Name = req.UserGroupID
	}
	group := &userGroup{len(s.groups) + 1, teamID, newToken(), req.Name, req.UserGroupID}
	s.groups = append(s.groups, group)
	writeJSON(w, http.StatusCreated, map[string]interface{}{"success": 1, "new_user_group": true, "user_group": group})
}

func (s *store) rotate(w http.ResponseWriter, r *http.Request, teamID int) {
	var req rotateRequest
	if !decode(w, r, &req) {
		return
	}
	if raw, err := hex.DecodeString(req.CurrentToken); err != nil || len(raw) != 32 {
		writeError(w, http.StatusBadRequest, "current_token is malformed")
		return
	}
	for _, group := range s.groups {
		if group.TeamID == teamID && group.Token == req.CurrentToken {
			group.Token = newToken()
			writeJSON(w, http.StatusOK, map[string]interface{}{"success": 1, "user_group": group})
			return
		}
	}
	writeError(w, http.StatusNotFound, "user group not found")
}

func teamID(name string) int {
	id, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		log.Fatal(err)
	}
	return id
}

func main() {
	s := &store{teams: map[string]int{
		os.Getenv("API_TOKEN"):        teamID("TEAM_ID"),
		os.Getenv("SECOND_API_TOKEN"): teamID("SECOND_TEAM_ID"),
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/user", s.handleUser)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux))
}
