/** Holders of groups that are slow, fail or lie. */
package io.karmi.exchange.pull;
