// Original file: domains.proto

import type { DnsRecord as _tautan_links_v1_DnsRecord, DnsRecord__Output as _tautan_links_v1_DnsRecord__Output } from '../../../tautan/links/v1/DnsRecord.js';
import type { Long } from '@grpc/proto-loader';

export interface Domain {
  'id'?: (string);
  'domain'?: (string);
  'status'?: (string);
  'dnsRecords'?: (_tautan_links_v1_DnsRecord)[];
  'verifiedAt'?: (string);
  'lastCheckedAt'?: (string);
  'lastError'?: (string);
  'linkCount'?: (number | string | Long);
  'createdAt'?: (string);
  'brandName'?: (string);
  'brandLogoUrl'?: (string);
  'brandColor'?: (string);
  'rootUrl'?: (string);
  'notFoundUrl'?: (string);
  'expiredUrl'?: (string);
  '_verifiedAt'?: "verifiedAt";
  '_lastCheckedAt'?: "lastCheckedAt";
  '_lastError'?: "lastError";
  '_brandName'?: "brandName";
  '_brandLogoUrl'?: "brandLogoUrl";
  '_brandColor'?: "brandColor";
  '_rootUrl'?: "rootUrl";
  '_notFoundUrl'?: "notFoundUrl";
  '_expiredUrl'?: "expiredUrl";
}

export interface Domain__Output {
  'id': (string);
  'domain': (string);
  'status': (string);
  'dnsRecords': (_tautan_links_v1_DnsRecord__Output)[];
  'verifiedAt'?: (string);
  'lastCheckedAt'?: (string);
  'lastError'?: (string);
  'linkCount': (number);
  'createdAt': (string);
  'brandName'?: (string);
  'brandLogoUrl'?: (string);
  'brandColor'?: (string);
  'rootUrl'?: (string);
  'notFoundUrl'?: (string);
  'expiredUrl'?: (string);
  '_verifiedAt'?: "verifiedAt";
  '_lastCheckedAt'?: "lastCheckedAt";
  '_lastError'?: "lastError";
  '_brandName'?: "brandName";
  '_brandLogoUrl'?: "brandLogoUrl";
  '_brandColor'?: "brandColor";
  '_rootUrl'?: "rootUrl";
  '_notFoundUrl'?: "notFoundUrl";
  '_expiredUrl'?: "expiredUrl";
}
