import { Type } from './type.ts'

const whole = (description: string) => Type.Integer({ description })

/** A row of the report `experiments`: what the visitors of one arm did. */
export const ExperimentRow = Type.Object({
  experiment_id: Type.String({ description: 'May be an experiment forgotten since.' }),
  arm: Type.Enum(['live', 'draft', 'interleaved']),
  visitors: whole('As the experiment assigns them: docs/experiments.md.'),
  searches: Type.Integer(),
  visitors_clicked: whole('Visitors who clicked a result.'),
  visitors_added: whole('Visitors who added a result to the cart.'),
  visitors_ordered: Type.Integer(),
  revenue_per_visitor: Type.Union([Type.Number(), Type.Null()], {
    description: '`null` without amounts, and when there are several currencies.',
  }),
  wins: whole('Visitors with more clicks on what the draft placed, if interleaved.'),
  losses: whole('Visitors with more clicks on what the live order placed.'),
  ties: whole('Visitors with equally many.'),
})
