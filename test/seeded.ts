/** The token of the group `example_1` in fixtures/default.json. */
export const seededToken = "a0c1e2d3b4f5061728394a5b6c7d8e9fa0c1e2d3b4f5061728394a5b6c7d8e9f";
