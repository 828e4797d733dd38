import { dnsRecordPurposes, dnsRecordTypes, domainRecord, type DomainMessage, type DomainRecord } from '@tautan/proto';
import { wireFields, wireValue } from './wire-fields.js';

const fields = wireFields(domainRecord);

/** Returns the API record of a domain (not one of its DNS records). */
export const domainView = (domain: DomainMessage): DomainRecord => ({
  ...fields(domain),
  dnsRecords: domain.dnsRecords.map(({ type, name, value, purpose, found, ok }) => ({
    type: wireValue(dnsRecordTypes, 'dnsRecords.type', type),
    name,
    value,
    purpose: wireValue(dnsRecordPurposes, 'dnsRecords.purpose', purpose),
    found,
    ok,
  })),
});
