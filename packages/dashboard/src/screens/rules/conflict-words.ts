import type { RuleConflict } from '@aisle/contract'

const SUBJECTS: Readonly<Record<RuleConflict['subject'], string>> = {
  document: 'Product',
  position: 'Position',
  query: 'The query',
  sort: 'The order',
  redirect: 'The page',
  metadata: 'Custom data',
  facet_display: 'Facets:',
  exact_match_boost: 'Exact values',
  semantic: 'Search by meaning',
  semantic_weight: 'The weight of meaning',
}

/** "Position 1: this rule pins p-1 there, “Winter” pins p-2 there. “Winter” wins." */
export function conflictText(conflict: RuleConflict, ownId: string): string {
  const { subject, key, winner, loser } = conflict
  const isWinner = winner.id === ownId
  const [own, other] = isWinner ? [winner, loser] : [loser, winner]
  const about = [SUBJECTS[subject], key].filter((part) => part !== undefined).join(' ')
  const name = `“${other.title}”`
  const end = isWinner ? 'This one wins.' : `${name} wins.`
  return `${about}: this rule ${plain(own.action)}, ${name} ${plain(other.action)}. ${end}`
}

function plain(action: string): string {
  return action.replaceAll('`', '')
}
