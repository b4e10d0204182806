const PATHS = {
  search:
    'M11 4a7 7 0 1 0 4.4 12.4l4.1 4.1 1.4-1.4-4.1-4.1A7 7 0 0 0 11 4zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  cart: 'M3 4h2l.6 3H21l-2 9H7.4L5.5 6H3zm4 5 1 5h9.400l1.100-5zM8 18h2v2H8zm7 0h2v2h-2z',
  grid: 'M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm9 0h7v7h-7z',
  list: 'M4 5h4v4H4zm6 1h10v2H10zM4 11h4v4H4zm6 1h10v2H10zM4 17h4v4H4zm6 1h10v2H10z',
  close: 'm6 4.600 6 6 6-6L19.400 6l-6 6 6 6-1.400 1.400-6-6-6 6L4.600 18l6-6-6-6z',
  clock:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm-1 2h2v5l3 3-1.400 1.400L11 12.800z',
  filter: 'M3 5h18v2H3zm4 6h10v2H7zm3 6h4v2h-4z',
  star: 'm12 3 2.700 5.800 6.300.8-4.600 4.400 1.200 6.300L12 17.200l-5.600 3.100L7.600 14 3 9.600l6.300-.8z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path fill="currentColor" d={PATHS[name]} />
    </svg>
  )
}
