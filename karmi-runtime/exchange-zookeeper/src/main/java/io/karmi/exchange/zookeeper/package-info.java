/**
 * Directories of exchange spaces in ZooKeeper: members and holds are ephemeral nodes, groups and
 * keys are persistent ones.
 */
@NullMarked
package io.karmi.exchange.zookeeper;

import org.jspecify.annotations.NullMarked;
