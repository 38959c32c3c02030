/** What the rest of the server may ask of analysis. */
export { columnsWork, noteForColumns } from './columns/build-columns.ts'
export { eraseFromColumns, rebuildInColumns } from './columns/erase-columns.ts'
export { refillWork } from './columns/refill-columns.ts'
export { applyReports, listReportCode } from './reports/apply-reports.ts'
