import type { Context } from '../../context.ts'
import { resealColumn } from '../../infra/secrets/sealed.ts'
import { placeOf } from './channels.ts'

export async function cleanUpChannels(ctx: Context): Promise<void> {
  await resealColumn(ctx, { table: 'channels', column: 'secrets', placeOf })
}
