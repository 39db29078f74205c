// Gin with its binding: types first, then the rules of all fields in one text.
package main

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

type group struct {
	ID         int                    `json:"id"`
	TeamID     int                    `json:"team_id"`
	Token      string                 `json:"token"`
	Name       string                 `json:"name"`
	ProvidedID string                 `json:"provided_id"`
	mapping    map[string]string      `json:"-"`
	properties map[string]interface{} `json:"-"`
}

type getOrCreateRequest struct {
	UserGroupID string                 `json:"user_group_id" binding:"required,max=36,excludesall=!?;<>{}\\ "`
	Name        string                 `json:"name" binding:"omitempty,min=2,max=50"`
	Mapping     map[string]string      `json:"mapping" binding:"required"`
	Properties  map[string]interface{} `json:"properties"`
}

type rotateRequest struct {
	CurrentToken string `json:"current_token" binding:"required"`
}

var (
	lock   sync.Mutex
	groups []*group
	teams  = map[string]int{}
)

func newToken() string {
	bytes := make([]byte, 24)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.URLEncoding.EncodeToString(bytes)
}

func authenticate(c *gin.Context) {
	parts := strings.Fields(c.GetHeader("Authorization"))
	if len(parts) != 2 || parts[0] != "Token" {
		c.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"success": 0, "error": "missing token"})
		return
	}
	team, ok := teams[parts[1]]
	if !ok {
		c.AbortWithStatusJSON(http.StatusForbidden, gin.H{"success": 0, "error": "invalid token"})
		return
	}
	c.Set("team", team)
}

func reject(c *gin.Context, status int, err error) {
	c.JSON(status, gin.H{"success": 0, "error": err.Error()})
}

func getOrCreate(c *gin.Context) {
	var body getOrCreateRequest
	if err := c.ShouldBindJSON(&body); err != nil {
		reject(c, http.StatusBadRequest, err)
		return
	}
	team := c.GetInt("team")
	lock.Lock()
	defer lock.Unlock()
	for _, one := range groups {
		if one.TeamID == team && one.ProvidedID == body.UserGroupID {
			// A look-up changes nothing.
			c.JSON(http.StatusOK, gin.H{"success": 1, "new_user_group": false, "user_group": one})
			return
		}
	}
	created := &group{
		ID:         1001 + len(groups),
		TeamID:     team,
		Token:      newToken(),
		Name:       body.Name,
		ProvidedID: body.UserGroupID,
		mapping:    body.Mapping,
		properties: body.Properties,
	}
	if created.Name == "" {
		created.Name = fmt.Sprintf("Group %d", len(groups)+1)
	}
	groups = append(groups, created)
	c.Header("Location", fmt.Sprintf("/groups/%d", created.ID))
	c.JSON(http.StatusCreated, gin.H{"success": 1, "new_user_group": true, "user_group": created})
}

func rotate(c *gin.Context) {
	var body rotateRequest
	if err := c.ShouldBindJSON(&body); err != nil {
		reject(c, http.StatusBadRequest, err)
		return
	}
	lock.Lock()
	defer lock.Unlock()
	for _, one := range groups {
		if one.TeamID == c.GetInt("team") && one.Token == body.CurrentToken {
			one.Token = newToken()
			c.JSON(http.StatusOK, gin.H{"success": 1, "user_group": one})
			return
		}
	}
	c.JSON(http.StatusUnauthorized, gin.H{"success": 0, "error": "token expired or unknown"})
}

func teamID(name string) int {
	id, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return id
}

func main() {
	teams[os.Getenv("API_TOKEN")] = teamID("TEAM_ID")
	teams[os.Getenv("SECOND_API_TOKEN")] = teamID("SECOND_TEAM_ID")
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	api := router.Group("/api", authenticate)
	api.GET("/user", getOrCreate)
	api.POST("/user", rotate)
	if err := router.Run("127.0.0.1:" + os.Getenv("PORT")); err != nil {
		panic(err)
	}
}
