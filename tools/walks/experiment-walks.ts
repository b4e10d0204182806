import { file, world, type Walk } from './walk.ts'

/** Commands for the experiments of a store, in order. */
export const EXPERIMENT_WALKS: readonly Walk[] = [
  {
    command: 'experiments start',
    text: () => [file('experiment.json', experiment('first', 'web'))],
    says: /^Started: "first" \(\w+\)/,
    json: () => [file('experiment.json', experiment('second', 'app'))],
    gives: ({ state }: { state: string }) => state === 'running',
    wrong: () => [file('experiment.json', experiment('third', 'web'))],
    exit: 'refused',
    complains: /takes the same searches/,
  },
  {
    command: 'experiments list',
    text: () => [],
    says: /first +split +running/,
    json: () => [],
    gives: ({ experiments }: { experiments: { id: string; name: string }[] }) => {
      for (const { id, name } of experiments) world.said.set(`${name} experiment`, id)
      return experiments.length === 2
    },
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'experiments show',
    text: () => [world.said.get('first experiment')!],
    says: /^first: not yet decided \(no events\)/,
    json: () => [world.said.get('first experiment')!, '--tag', 'web', '--by-tag', 'device:'],
    gives: ({ report }: { report: { reason: string; by_tag: [] } }) =>
      report.reason === 'part' && report.by_tag.length === 0,
    wrong: () => ['none'],
    exit: 'refused',
    complains: /no experiment/,
  },
  {
    command: 'experiments end',
    text: () => [world.said.get('first experiment')!],
    says: /^Ended: "first"/,
    json: () => [world.said.get('second experiment')!],
    gives: ({ state }: { state: string }) => state === 'ended',
    wrong: () => [world.said.get('first experiment')!],
    exit: 'refused',
    complains: /ended already/,
  },
  {
    command: 'experiments publish',
    text: () => [world.said.get('first experiment')!],
    says: /^Published: "first"/,
    json: () => [world.said.get('second experiment')!, '--note', 'Better'],
    gives: (done: { experiment: { state: string } }) => done.experiment.state === 'published',
    wrong: () => ['none'],
    exit: 'refused',
    complains: /no experiment/,
  },
]

function experiment(name: string, tag: string): object {
  const draft = { ranking: { typo_max: 1 } }
  return { name, kind: 'split', draft, tags: [tag] }
}
