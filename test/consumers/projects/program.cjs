// The user's program, a client of the service: every project tests it.
const { request } = require("node:http");

/**
 * The global agent keeps the connection open after the response, as most programs do: a mock that waited for it to
 * close would never stop.
 */
exports.getOrCreate = (baseUrl, apiToken, group) => {
  const body = JSON.stringify(group);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  return exports.send(`${baseUrl}/api/user`, headers, body);
};

exports.send = (url, headers, body) =>
  new Promise((resolve, reject) => {
    const req = request(url, { method: "GET", headers }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("data", (part) => {
        text += part;
      });
      res.on("error", reject);
      res.on("end", () => resolve({ status: res.statusCode, body: JSON.parse(text) }));
    });
    req.on("error", reject);
    req.end(body);
  });
