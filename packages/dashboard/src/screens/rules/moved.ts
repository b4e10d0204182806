/** A list with one of its members at another place, from 0. */
export function moved(order: readonly string[], id: string, place: number): readonly string[] {
  const others = order.filter((one) => one !== id)
  return others.toSpliced(place, 0, id)
}

/** A draft of an order without the rules that are gone, and with new ones at the end. */
export function orderOf(ids: readonly string[], draft: readonly string[]): readonly string[] {
  const [present, known] = [new Set(ids), new Set(draft)]
  return [...draft.filter((id) => present.has(id)), ...ids.filter((id) => !known.has(id))]
}
