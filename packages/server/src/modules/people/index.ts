/** What people offers to other modules: rows of people, what rules see of them, and what clients may do in their name. */
export {
  isLive,
  isOfEnvironment,
  lockDeviceState,
  lockOwnDevice,
  readDeviceState,
  refuseErased,
  requireConsenting,
  requireUser,
  signedInUser,
  type DeviceState,
} from './device-state.ts'
export { appendLedger, decisionColumns, decisionsOf, hashSubject, listAgreed, subjectOfPerson, type ConsentOrigin } from './ledger.ts'
export { ACTIVITY_LAG, oldestMark } from './activity-mark.ts'
export { settleMarks } from './queries-marks.ts'
export { parsePhone } from './parse-phone.ts'
export {
  deleteProfile,
  interruptSends,
  findDevice,
  findOwnEnvironment,
  findPerson,
  findProfile,
  findSubjectSalt,
  listDeviceIds,
  listErased,
  listSegmentNames,
  lockDevice,
  lockNamed,
  findNamed,
  lockProfile,
  lockProfiles,
  lockProfilesToMerge,
  patchProfile,
  updateDevice,
  type DeviceRow,
  type ProfileRow,
} from './queries.ts'
export { endedRows, holdPeople, resolvePeople, type IdArray } from './queries-enrichment.ts'
export { askToConfirm, EMAIL_CONFIRMATIONS } from './ask-to-confirm.ts'
export { hashEmail, hashPhone } from './contact-hash.ts'
export {
  confirmAddress,
  confirmationTable,
  findConfirmation,
  listPeopleAt,
  noteConfirmationAsked,
  noteReached,
  type ConfirmationRow,
} from './queries-confirmations.ts'
export { closeContact, openContacts } from './closed/queries-closed.ts'
export { listKnownUserIds, refusesPlaceholderIds } from './queries-placeholders.ts'
export { readWithDevices, rewriteSnapshots, type PeopleWithDevices } from './queries-snapshots.ts'
export { subjectOf } from './subject.ts'
export { FEW_PEOPLE, notifyDevices } from './notify-devices.ts'
export { byApp, writePeople } from './write-people.ts'
export {
  absorbProfile,
  appEmailAfter,
  countCustomers,
  insertUsers,
  lockCustomerLimit,
  lockUsers,
  openWindow,
  raiseInboxes,
  renewIdentities,
  updateLocales,
  updateUsers,
  writeIdentity,
  type AppEmail,
  type ChannelRow,
  type Renewal,
  type PersonUpdate,
  type UserWrite,
} from './queries-write.ts'
