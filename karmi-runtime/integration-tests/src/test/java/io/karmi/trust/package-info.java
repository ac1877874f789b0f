/** What strangers and bad hours do to a node. */
package io.karmi.trust;
