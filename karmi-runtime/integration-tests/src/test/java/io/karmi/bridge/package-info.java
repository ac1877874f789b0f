/** Nodes without a common technology, which call each other through one that has both. */
package io.karmi.bridge;
