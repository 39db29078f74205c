import "./user-groups.cjs";
