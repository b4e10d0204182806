/** A list with one of its members at another place, from 0. */
export function moved(order: readonly string[], id: string, place: number): readonly string[] {
  const others = order.filter((one) => one !== id)
  return others.toSpliced(place, 0, id)
}
