//! Standing claims: the documents that a person keeps of each tree, with what was seen to hold.

use rusqlite::{TransactionBehavior, params};

use super::{Store, StoreError, fault, journal};

impl Store {
    /// Returns the documents that are kept of a tree, each with its text.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read.
    pub fn standing(&self, folder: &str) -> Result<Vec<(String, String)>, StoreError> {
        let wrong = |error| fault("read", &self.file, error);
        let words = "SELECT document, text FROM standing WHERE folder = ?1 ORDER BY document";
        let mut statement = self.connection.prepare(words).map_err(wrong)?;
        let rows = statement
            .query_map([folder], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(wrong)?;
        rows.collect::<rusqlite::Result<_>>().map_err(wrong)
    }

    /// Keeps documents of a tree, each instead of what was kept of it; `None` stops keeping it.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn keep_standing(
        &mut self,
        folder: &str,
        documents: &[(String, Option<String>)],
    ) -> Result<(), StoreError> {
        let wrong = |error| fault("write into", &self.file, error);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(wrong)?;
        for (document, text) in documents {
            let done = match text {
                Some(text) => transaction.execute(
                    "INSERT OR REPLACE INTO standing VALUES (?1, ?2, ?3)",
                    params![folder, document, text],
                ),
                None => transaction.execute(
                    "DELETE FROM standing WHERE folder = ?1 AND document = ?2",
                    params![folder, document],
                ),
            };
            done.map_err(wrong)?;
        }
        transaction.commit().map_err(wrong)?;
        // They are kept: a journal that cannot be emptied now is emptied by a later run.
        let _ = journal::fold(&self.connection, &self.file);
        Ok(())
    }
}
