import { exitCodes, type Subcommand, usage } from '../cli.ts';

/** `ralph-tui help [NAME]`: prints a reference page or the help of one command to stdout. Exit 2 for any other name. */
export const help: Subcommand = (program, cli) => {
  program.helpCommand(false);
  program
    .command('help')
    .argument('[topic]', 'a topic or a command; without one, lists the topics')
    .action(
      cli.does(async (name: string | undefined) => {
        const { topics } = await import('../report/topics/index.ts');
        const { formatTopic, formatTopics } = await import('../report/format-topic.ts');
        const topic = topics.find((each) => each.name === name);
        const command = program.commands.find((each) => each.name() === name);
        if (name === undefined) cli.print(`${program.helpInformation()}\n${formatTopics(topics)}`);
        else if (topic !== undefined) cli.print(formatTopic(topic));
        else if (command !== undefined) command.outputHelp();
        else
          throw usage(
            `no topic or command "${name}"`,
            `topics: ${topics.map((each) => each.name).join(', ')}; \`ralph-tui --help\` lists the commands`,
          );
        return exitCodes.done;
      }),
    );
};
