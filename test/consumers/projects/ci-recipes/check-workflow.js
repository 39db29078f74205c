// Prints the problems that GitHub's parser finds in a workflow, and the commands of its only job.
import { readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

const [, , name] = process.argv;
const { context, value } = parseWorkflow(
  { name, content: readFileSync(name, "utf8") },
  new NoOperationTraceWriter(),
);
const problems = context.errors.getErrors().map(({ message }) => message);
const [job] = problems.length > 0 ? [] : (await convertWorkflowTemplate(context, value)).jobs;
const commands = job?.steps.flatMap(({ run }) => (run === undefined ? [] : [run.toString()]));
console.log(JSON.stringify({ problems, commands }));
