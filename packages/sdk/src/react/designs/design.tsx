import { forwardRef, useContext, type ForwardRefExoticComponent, type MouseEvent, type ReactNode, type RefAttributes } from 'react'
import { Banner } from './banner.tsx'
import { Card } from './card.tsx'
import { Carousel } from './carousel.tsx'
import { designTypeOf, type DesignBlock, type DesignType } from './reading/design-block.ts'
import { SettingsContext, type DesignSettings } from './design-settings.ts'
import { Hero } from './hero.tsx'
import { List } from './list.tsx'
import { directionOf, usableLocale } from './reading/locale.ts'
import { Panel } from './panel.tsx'
import { Popup } from './popup.tsx'
import { readBlock, type Content } from './reading/read-block.ts'
import type { Link } from './reading/read-link.ts'
import { Tile } from './tile.tsx'
import { Toast } from './toast.tsx'
import { Tooltip } from './tooltip.tsx'
import type { Words } from './reading/words.ts'

export type DesignProps = {
  block: DesignBlock
  /** The block's own design type when left out; a card when it has none. */
  type?: DesignType
  /** The language of the texts in the block; English by default. Decides numbers, prices and the designs' own words. */
  locale?: string
  /** Follows the locale when left out. */
  dir?: 'ltr' | 'rtl'
  /** Put before pictures that are paths, for example `https://content.example`. */
  assetOrigin?: string
  /** Replaces built-in words, by id: `{ 'badge.new': 'Nouveau' }`. */
  words?: Words
  /** Popup, toast and tooltip stay in the box around them, and nothing closes or moves by itself: for previews. */
  inline?: boolean
  /** A link was pressed; `block` is the one that has it, which may be inside this one. Prevent the event's default to go there yourself. */
  onClick?: (link: Link, block: DesignBlock, event: MouseEvent<HTMLAnchorElement>) => void
  /** The person closed the block, or a toast's time is over. */
  onDismiss?: (block: DesignBlock) => void
  /** The element that a tooltip points at. Other designs do not draw it. */
  children?: ReactNode
}

const COMPONENTS: { readonly [type in DesignType]: (props: { content: Content; children?: ReactNode }) => ReactNode } = {
  banner: Banner,
  card: Card,
  tile: Tile,
  hero: Hero,
  carousel: Carousel,
  list: List,
  popup: Popup,
  tooltip: Tooltip,
  toast: Toast,
  panel: Panel,
}

/** React 18 passes the reference apart; React 19 would take it from the other props. */
type Drawn = ForwardRefExoticComponent<DesignProps & RefAttributes<HTMLDivElement>>

/** Draws one block; the reference is its outermost element. Props that are left out are taken from the design around it. */
export const Design: Drawn = forwardRef<HTMLDivElement, DesignProps>(function Design(props, ref) {
  const outer = useContext(SettingsContext)
  const settings = settingsOf(props, outer)
  const type = props.type ?? designTypeOf(props.block.designType)
  const Component = COMPONENTS[type]
  const classes = ['cf-design', `cf-design--${type}`, ...(settings.isInline ? ['cf-design--inline'] : [])]
  return (
    <SettingsContext.Provider value={settings}>
      <div ref={ref} className={classes.join(' ')} dir={settings.dir} lang={settings.locale}>
        <Component content={readBlock(props.block, settings)}>{props.children}</Component>
      </div>
    </SettingsContext.Provider>
  )
})

function drawBlock(block: DesignBlock, type: DesignType): ReactNode {
  return <Design block={block} type={type} />
}

function settingsOf(props: DesignProps, outer: DesignSettings | undefined): DesignSettings {
  const locale = props.locale === undefined ? (outer?.locale ?? 'en') : usableLocale(props.locale)
  return {
    locale,
    dir: props.dir ?? (props.locale === undefined ? outer?.dir : undefined) ?? directionOf(locale),
    words: props.words ?? outer?.words,
    assetOrigin: props.assetOrigin ?? outer?.assetOrigin,
    isInline: props.inline ?? outer?.isInline ?? false,
    depth: outer?.depth ?? 0,
    hidesCounts: outer?.hidesCounts ?? false,
    block: props.block,
    drawBlock,
    onClick: props.onClick ?? outer?.onClick,
    onDismiss: props.onDismiss ?? outer?.onDismiss,
  }
}
