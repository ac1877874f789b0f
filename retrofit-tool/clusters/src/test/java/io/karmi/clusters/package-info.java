/** Clusters of well-known products under the agent, each member in a JVM of its own. */
package io.karmi.clusters;
