import {
  IconAppWindow,
  IconBell,
  IconCarouselHorizontal,
  IconId,
  IconLayoutBottombar,
  IconLayoutSidebarRight,
  IconList,
  IconMessage,
  IconPhoto,
  IconSquare,
  IconSquares,
  type Icon,
} from '@tabler/icons-react'
import type { DesignType } from '@contentflow/core/blocks/definition.ts'

const PICTURES: Record<DesignType, Icon> = {
  banner: IconLayoutBottombar,
  card: IconId,
  tile: IconSquare,
  hero: IconPhoto,
  carousel: IconCarouselHorizontal,
  list: IconList,
  popup: IconAppWindow,
  tooltip: IconMessage,
  toast: IconBell,
  panel: IconLayoutSidebarRight,
}

/** A picture of the kind of a block type. */
export function DesignPicture({ design, size = 18 }: { design: DesignType | null; size?: number }) {
  const Picture = design ? PICTURES[design] : IconSquares
  return <Picture size={size} stroke={1.6} aria-hidden style={{ flexShrink: 0 }} />
}
