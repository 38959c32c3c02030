import type { Route } from './route.ts'

const PATHS = {
  home: 'M4 11 12 4l8 7v9h-5.5v-6h-5v6H4z',
  categories: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  bag: 'M5 8h14l1 12.5H4zM9 10.5V7a3 3 0 0 1 6 0v3.5',
  stores: 'M12 21s-7-6.4-7-11.2a7 7 0 0 1 14 0C19 14.6 12 21 12 21zM12 12.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.6-3.8 3.6-5.8 7.5-5.8s6.9 2 7.5 5.8',
  moon: 'M20 14.2A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.2z',
  close: 'M6 6l12 12M18 6 6 18',
}

export type IconName = keyof typeof PATHS
export const TABS = ['home', 'categories', 'bag', 'stores', 'account'] as const satisfies readonly Route['page'][]

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
