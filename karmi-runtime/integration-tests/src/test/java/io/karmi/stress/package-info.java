/**
 * Several JVMs pass references around while some of them are killed and stopped: nothing is
 * collected that is referenced, and all garbage is collected in time.
 */
package io.karmi.stress;
