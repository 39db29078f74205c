import { connectMock } from "usergroup-mock";

const mock = await connectMock(process.env.USERGROUP_MOCK_URL);
const { status } = await mock.health();
console.log(`my tests found a mock: ${status}`);
