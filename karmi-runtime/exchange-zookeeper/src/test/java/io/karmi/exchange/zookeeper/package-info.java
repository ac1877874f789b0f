/** Tests of the directory in ZooKeeper, with servers of curator-test. */
package io.karmi.exchange.zookeeper;
