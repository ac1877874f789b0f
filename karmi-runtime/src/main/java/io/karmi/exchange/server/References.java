package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a group refers to, as some member has said. Behind a restart that may be any member: each
 * list that differs is believed as well, and its member pays for it.
 *
 * @param member number of the one that has said so
 * @param payer its host, in the ledger: it may have left
 * @param next what another member has said
 */
record References(int member, Object payer, GroupAddress[] on, @Nullable References next) {}
