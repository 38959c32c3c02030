import { useSettings } from './design-settings.ts'
import { Picture } from './parts/picture.tsx'
import { wholeLinkOf, type Content } from './reading/read-block.ts'
import { CoverTitle } from './parts/texts.tsx'

/** A picture with a name, all of which is one link. Without a picture the name is on a plain surface. */
export function Tile({ content }: { content: Content }) {
  const { hidesCounts } = useSettings()
  const link = wholeLinkOf(content) ?? content.actions[0]
  const lines = [
    content.subtitle,
    ...content.paragraphs.map(({ text }) => text),
    hidesCounts ? undefined : content.count,
    content.price?.now,
  ]
  const picture = content.pictures.find(({ src }) => src !== undefined)
  return (
    <article className={`cf-tile cf-tile--${content.look.size} ${picture ? '' : 'cf-tile--plain'}`}>
      {picture && <Picture picture={picture} />}
      {content.badge !== undefined && <span className="cf-badge">{content.badge}</span>}
      <div className="cf-tile-text">
        <CoverTitle title={content.title} link={link} className="cf-tile-title" />
        {lines.map(
          (line) =>
            line !== undefined && (
              <p key={line} className="cf-tile-line">
                {line}
              </p>
            ),
        )}
      </div>
    </article>
  )
}
