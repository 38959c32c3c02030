import { useBag } from './bag.tsx'
import { Icon, TABS } from './icons.tsx'
import type { Route } from './route.ts'
import { useText } from './use-text.ts'

/** The five places of the shop; the bar at the bottom of a phone and the row in the header of a wide page are the same links. */
export function Tabs({ route, className }: { route: Route; className: string }) {
  const { t, own } = useText()
  const { count } = useBag()
  const current = route.page === 'product' || route.page === 'products' ? 'categories' : route.page
  return (
    <nav className={className} aria-label={own('menu')}>
      {TABS.map((tab) => (
        <a key={tab} className="tab" href={tab === 'home' ? '#/' : `#/${tab}`} aria-current={tab === current ? 'page' : undefined}>
          <span className="tab-icon">
            <Icon name={tab} />
            {tab === 'bag' && count > 0 && <span className="tab-count">{count}</span>}
          </span>
          {t(`app.tab.${tab}`)}
        </a>
      ))}
    </nav>
  )
}
